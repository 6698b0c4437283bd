package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    @DisplayName("numbers stand to the right, words to the left, a missing value is -")
    void aligned() {
        Table table = new Table("name", "count", "note");
        table.row("a", 5, "first").row("long name", 1234, null);
        assertThat(table.toString())
                .isEqualTo(
                        """
                        name       count  note
                        a              5  first
                        long name   1234  -
                        """);
    }

    @Test
    @DisplayName("a table without rows is its header")
    void empty() {
        Table table = new Table("name", "count");
        assertThat(table.isEmpty()).isTrue();
        assertThat(table.toString()).isEqualTo("name  count\n");
    }
}
