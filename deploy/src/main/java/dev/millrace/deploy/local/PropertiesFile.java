package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/** Properties files, sorted and written in one piece, so that a reader never sees half of one. */
public final class PropertiesFile {
    private PropertiesFile() {}

    /** The file's keys and values; empty when it is not there. */
    public static Optional<Map<String, String>> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw new UserException(file + " is not a properties file in UTF-8: " + e.getMessage(), e);
        } catch (IOException e) {
            // With its kind: the message of a refusal is the file's name alone.
            throw new EnvironmentException("cannot read " + file + ": " + e, e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.forEach(
                (key, value) -> values.put(key.toString(), value.toString().trim()));
        return Optional.of(values);
    }

    /** Replaces the file; returns whether that changed what it says. */
    public static boolean write(Path file, Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(values).forEach((key, value) -> text.append(escaped(key, true))
                .append('=')
                .append(escaped(value, false))
                .append('\n'));
        return replace(file, text.toString());
    }

    /** What the new content of a file is written into before it takes the file's place. */
    static Path draft(Path file) {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    /** Replaces a text file in one piece; returns whether that changed it. */
    public static boolean replace(Path file, String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            // Bytes, since what is there may be no text.
            if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
                return false;
            }
            Files.createDirectories(file.getParent());
            Path draft = draft(file);
            Files.deleteIfExists(draft);
            // Settings may be passwords: only their owner reads them.
            Files.write(OwnerOnly.file(draft), bytes);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e, e);
        }
    }

    private static String escaped(String text, boolean key) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case ' ' -> out.append(key || i == 0 ? "\\ " : " ");
                case '=', ':', '#', '!' -> out.append(key ? "\\" : "").append(c);
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
