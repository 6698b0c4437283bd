package dev.millrace.core.reading;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings of bytes that come again and again, so that a device's name is made once and not per reading. Holds at most
 * {@value #SLOTS} names; two that fall into one slot replace each other. Not thread-safe.
 */
final class DeviceNames {
    private static final int SLOTS = 1 << 14;
    /** A longer name is not worth keeping, and would make the cache's size unbounded. */
    private static final int LONGEST = 128;

    private final byte[][] keys = new byte[SLOTS][];
    private final String[] names = new String[SLOTS];
    private final CharsetDecoder strict = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    /** The string of the first {@code length} bytes; throws on what is not UTF-8, lest two devices become one. */
    String name(byte[] utf8, int length) throws CharacterCodingException {
        if (length > LONGEST) {
            return text(utf8, length);
        }
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + utf8[i];
        }
        hash *= 0x9E3779B9;
        int slot = hash >>> 18;
        byte[] key = keys[slot];
        if (key != null && key.length == length && Arrays.equals(key, 0, length, utf8, 0, length)) {
            return names[slot];
        }
        String name = text(utf8, length);
        keys[slot] = Arrays.copyOf(utf8, length);
        names[slot] = name;
        return name;
    }

    /** As {@link #name}, for what does not come again. */
    String text(byte[] utf8, int length) throws CharacterCodingException {
        CharBuffer chars = strict.decode(ByteBuffer.wrap(utf8, 0, length));
        return chars.toString();
    }
}
