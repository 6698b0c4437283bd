package dev.millrace.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The live page's commands")
class LivePageTest {
    @Test
    @DisplayName("a run directory is one word to a shell, whatever is in its name")
    void word() {
        assertThat(LivePage.word("/home/me/stacks-2/.millrace")).isEqualTo("/home/me/stacks-2/.millrace");
        assertThat(LivePage.word("/home/me/my stacks")).isEqualTo("'/home/me/my stacks'");
        assertThat(LivePage.word("/home/me/$HOME's")).isEqualTo("'/home/me/$HOME'\\''s'");
    }
}
