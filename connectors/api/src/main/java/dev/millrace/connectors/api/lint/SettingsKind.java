package dev.millrace.connectors.api.lint;

import java.util.List;

/**
 * A kind of settings file, such as a broker's own; found by {@link java.util.ServiceLoader}, in a plugin or in the launcher.
 * Stateless and thread-safe.
 */
public interface SettingsKind {

    /** What a person types: lower case letters and {@code -}; no two kinds have the same. */
    String name();

    /** How files of this kind are called. */
    List<String> fileNames();

    /** Files of the same software that no kind is for, though they have much in common with one: they are not guessed at. */
    default List<String> foreignFileNames() {
        return List.of();
    }

    /** Whether what uses such a file reads it as {@link java.util.Properties} are: then bytes that are no UTF-8 are Latin-1. */
    default boolean isProperties() {
        return true;
    }

    /**
     * The settings in a file, in its order.
     *
     * @param fileName without its folder
     * @throws dev.millrace.core.settings.UserException when the text is not written as such a file is
     */
    default List<SettingLine> parse(String fileName, String text) {
        return PropertiesText.parse(text);
    }

    /** Where else such settings stand: in objects that operators make servers of, in values of charts. */
    default List<SettingsPlace> places() {
        return List.of();
    }

    /**
     * What is to be found of settings in one of {@link #places} and not in a file: whoever makes the server's file of them may leave some out.
     *
     * @param asWritten with what a key begins with there
     */
    default List<Finding> placed(KnownSettings known, List<SettingLine> asWritten) {
        return List.of();
    }

    /**
     * What may be in such a file.
     *
     * @implSpec read from the classes or files of the version in use, or from a copy that a test holds against them; never a list written
     * by hand
     * @throws dev.millrace.core.settings.EnvironmentException when these classes or files are not there
     */
    KnownSettings known();
}
