package dev.millrace.perf.round;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Millrace;

/** Whether the stack that is measured came up. */
public final class StackUp {
    private StackUp() {}

    /**
     * What {@code up} has said stands above, so that it came to nothing is enough.
     *
     * @param code that {@code up} ended with
     * @throws UserException where it was told what cannot be
     * @throws EnvironmentException where it could not for another reason
     */
    public static void require(String broker, int code) {
        String sentence = "the stack of broker '" + broker + "' did not come up; see above";
        if (code == Millrace.USER_ERROR) {
            throw new UserException(sentence);
        }
        if (code != Millrace.OK) {
            throw new EnvironmentException(sentence);
        }
    }
}
