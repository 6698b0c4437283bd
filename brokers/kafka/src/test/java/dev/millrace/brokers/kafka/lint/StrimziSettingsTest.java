package dev.millrace.brokers.kafka.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.Verdict;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StrimziSettingsTest {
    private static final String SPEC = "io/strimzi/api/kafka/model/kafka/KafkaClusterSpec.class";
    private static final int MAGIC = 0xCAFEBABE;

    private static final StrimziSettings STRIMZI = StrimziSettings.shipped();

    /** Of a class that is too new to be loaded: all texts among its constants. */
    private static List<String> texts() throws IOException {
        try (InputStream file = StrimziSettingsTest.class.getClassLoader().getResourceAsStream(SPEC);
                DataInputStream in = new DataInputStream(file)) {
            assertThat(in.readInt()).isEqualTo(MAGIC);
            in.skipNBytes(4);
            List<String> texts = new ArrayList<>();
            int constants = in.readUnsignedShort();
            for (int i = 1; i < constants; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> texts.add(in.readUTF());
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++;
                    }
                    case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    default -> throw new IOException("no constant has tag " + tag);
                }
            }
            return texts;
        }
    }

    @Test
    @DisplayName("what is shipped is what the operator's own class says")
    void asTheClassSays() throws IOException {
        assertThat(texts())
                .contains("FORBIDDEN_PREFIXES", "FORBIDDEN_PREFIX_EXCEPTIONS")
                .contains(String.join(", ", STRIMZI.prefixes()), String.join(", ", STRIMZI.exceptions()));
        assertThat(StrimziSettingsTest.class.getClassLoader().getResource(SPEC).getPath())
                .contains("api-" + STRIMZI.version() + ".jar");
    }

    @Test
    @DisplayName("a setting that Strimzi keeps for itself is inert, an exception and any other is not")
    void leftOut() {
        KnownSettings known = new KnownSettings("any", Map.of(), List.of(), List.of());
        List<Finding> found = STRIMZI.leftOut(
                known,
                List.of(
                        new SettingLine(3, "log.dirs", "/data"),
                        new SettingLine(4, "ssl.cipher.suites", "A"),
                        new SettingLine(5, "num.io.threads", "8"),
                        new SettingLine(6, "listener.name.own-9099.ssl.client.auth", "none")));
        assertThat(found).extracting(Finding::line).containsExactly(3, 6);
        assertThat(found).allSatisfy(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.INERT);
            assertThat(finding.sentence()).contains("Strimzi 1.2.0");
        });
    }
}
