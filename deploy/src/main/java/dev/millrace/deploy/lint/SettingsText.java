package dev.millrace.deploy.lint;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a settings file that a person named. */
final class SettingsText {
    private static final long BYTES_MAX = 4 << 20;

    private SettingsText() {}

    /** @throws UserException when it is not there, cannot be read, is too large, is empty or is no text in UTF-8 */
    static String read(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserException(file + " is a folder; name the settings file in it");
        }
        if (!Files.exists(file)) {
            throw new UserException("there is no file " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw new UserException(file + " is no file on a disk; copy what it has into one");
        }
        String text;
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new UserException(file + " has more than " + BYTES_MAX + " bytes; no settings file is so large");
            }
            text = Files.readString(file);
        } catch (AccessDeniedException e) {
            throw new UserException("this user may not read " + file, e);
        } catch (CharacterCodingException e) {
            throw new UserException(noText(file), e);
        } catch (IOException e) {
            throw new UserException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (text.indexOf('\0') >= 0) {
            throw new UserException(noText(file));
        }
        if (text.isBlank()) {
            throw new UserException(file + " is empty");
        }
        return text;
    }

    private static String noText(Path file) {
        return file + " is no text in UTF-8, so it is no settings file";
    }
}
