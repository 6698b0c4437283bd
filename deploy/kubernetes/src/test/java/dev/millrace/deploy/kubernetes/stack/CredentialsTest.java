package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CredentialsTest {
    @Test
    @DisplayName("what is made at random is 22 characters that no program takes for an option, and never the same")
    void random() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String text = Credentials.random();
            assertThat(text).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}");
            assertThat(seen.add(text)).isTrue();
        }
    }
}
