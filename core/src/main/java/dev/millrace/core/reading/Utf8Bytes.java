package dev.millrace.core.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Whether bytes are UTF-8: two names that are not would both become the replacement character, and one device. */
final class Utf8Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8Bytes() {}

    static boolean isValid(byte[] bytes, int start, int length) {
        long high = 0;
        int at = start;
        int end = start + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            high |= (long) LONG.get(bytes, at);
        }
        if (at < end && at <= bytes.length - Long.BYTES) {
            high |= (long) LONG.get(bytes, at) & (1L << ((end - at) << 3)) - 1;
        } else {
            for (; at < end; at++) {
                high |= bytes[at];
            }
        }
        return (high & HIGH_BITS) == 0 || isValidBeyondAscii(bytes, start, length);
    }

    private static boolean isValidBeyondAscii(byte[] bytes, int start, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
