package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreAccessTest {
    @Test
    void aStoreSaysInItsOwnWayWhatIsNoNumber() {
        Map<String, Object> row = new HashMap<>(Map.of("number", 1.5, "text", "2.5", "word", "NaN"));
        row.put("nothing", null);
        assertThat(StoreAccess.decimal(row, "number")).isEqualTo(1.5);
        assertThat(StoreAccess.decimal(row, "text")).isEqualTo(2.5);
        assertThat(StoreAccess.decimal(row, "word")).isNaN();
        assertThat(StoreAccess.decimal(row, "nothing")).isNaN();
    }
}
