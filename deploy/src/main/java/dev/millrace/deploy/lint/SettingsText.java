package dev.millrace.deploy.lint;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text of a settings file that a person named.
 *
 * @param isUtf8 else it was read as Latin-1, in which every sequence of bytes is a text
 */
record SettingsText(String text, boolean isUtf8) {
    private static final long BYTES_MAX = 4 << 20;

    /** @throws UserException when it is not there, cannot be read, is too large, is empty or is no text */
    static SettingsText read(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserException(file + " is a folder; name the settings file in it");
        }
        if (!Files.exists(file)) {
            throw new UserException("there is no file " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw new UserException(file + " is no file on a disk; copy what it has into one");
        }
        SettingsText read;
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new UserException(file + " has more than " + BYTES_MAX + " bytes; no settings file is so large");
            }
            read = of(Files.readAllBytes(file));
        } catch (AccessDeniedException e) {
            throw new UserException("this user may not read " + file, e);
        } catch (IOException e) {
            throw new UserException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (read.text.indexOf('\0') >= 0) {
            throw noText(file);
        }
        if (read.text.isBlank()) {
            throw new UserException(file + " is empty");
        }
        return read;
    }

    private static SettingsText of(byte[] bytes) {
        try {
            return new SettingsText(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString(),
                    true);
        } catch (CharacterCodingException e) {
            return new SettingsText(new String(bytes, StandardCharsets.ISO_8859_1), false);
        }
    }

    /** For a file that is not read as Latin-1. */
    static UserException noText(Path file) {
        return new UserException(file + " is no text in UTF-8, so it is no settings file");
    }
}
