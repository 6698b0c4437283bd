package dev.millrace.deploy.kubernetes.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** A docker-archive, read whole. */
final class Archive {
    /** One file of a layer. */
    record Entry(String text, int mode, long userId, long modifiedMillis) {}

    final JsonNode config;
    final JsonNode manifest;
    /** The files of each layer by their path, lowest layer first; folders are left out. */
    final List<Map<String, Entry>> layers = new ArrayList<>();

    Archive(Path file) throws IOException {
        Map<String, byte[]> parts = new HashMap<>();
        try (InputStream in = Files.newInputStream(file);
                TarArchiveInputStream tar = new TarArchiveInputStream(in)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                parts.put(entry.getName(), tar.readAllBytes());
            }
        }
        ObjectMapper mapper = new ObjectMapper();
        manifest = mapper.readTree(parts.get("manifest.json")).get(0);
        config = mapper.readTree(parts.get(manifest.get("Config").asText()));
        for (JsonNode layer : manifest.get("Layers")) {
            layers.add(layer(parts.get(layer.asText())));
        }
    }

    private static Map<String, Entry> layer(byte[] bytes) throws IOException {
        Map<String, Entry> files = new TreeMap<>();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    String text = new String(tar.readAllBytes(), StandardCharsets.UTF_8);
                    files.put(
                            "/" + entry.getName(),
                            new Entry(
                                    text,
                                    entry.getMode() & 0777,
                                    entry.getLongUserId(),
                                    entry.getLastModifiedTime().toMillis()));
                }
            }
        }
        return files;
    }

    Map<String, Entry> files() {
        Map<String, Entry> all = new TreeMap<>();
        layers.forEach(all::putAll);
        return all;
    }
}
