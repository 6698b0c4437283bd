package dev.millrace.connectors.api.broker;

/**
 * Which partition a key belongs to: the same number on every broker, so that what is per partition can be compared.
 * FNV-1a in 32 bits (Fowler, Noll, Vo) with the finisher of MurmurHash3 (its low bits alone are not even enough).
 */
public final class KeyPartitions {
    private KeyPartitions() {}

    /** The partition of {@code key} among {@code partitions}, from 0. */
    public static int of(byte[] key, int partitions) {
        int hash = 0x811c9dc5;
        for (byte b : key) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        hash ^= hash >>> 16;
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        hash ^= hash >>> 16;
        return Math.floorMod(hash, partitions);
    }
}
