package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.UserException;
import org.junit.jupiter.api.Test;

class SupervisorTest {
    @Test
    void aLookThatFailsIsSaidAndForgottenWhenALaterOneSucceeds() {
        String taken = Supervisor.failureOf(
                () -> {
                    throw new UserException("port 5 is taken");
                },
                "");
        assertThat(taken).isEqualTo("port 5 is taken");
        String rebuilt = Supervisor.failureOf(
                () -> {
                    throw new NoClassDefFoundError("dev/millrace/Gone");
                },
                taken);
        assertThat(rebuilt).isEqualTo("dev/millrace/Gone");
        assertThat(Supervisor.failureOf(() -> {}, rebuilt)).isEmpty();
    }
}
