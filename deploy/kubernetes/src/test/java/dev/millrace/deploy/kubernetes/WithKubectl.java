package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.Kubectl;
import java.util.Optional;
import java.util.function.Function;

/** What needs a kubectl and no cluster: where there is none the test is left out, but not where the build runs unattended. */
public final class WithKubectl {
    private WithKubectl() {}

    public static <T> T ask(Function<Kubectl, T> question) {
        try {
            return question.apply(new Kubectl(Optional.empty()));
        } catch (EnvironmentException e) {
            assertThat(e).hasMessageContaining("kubectl cannot be run");
            assertThat(System.getenv("CI"))
                    .as("kubectl must be there where the build runs unattended")
                    .isNull();
            return abort(e.getMessage());
        }
    }
}
