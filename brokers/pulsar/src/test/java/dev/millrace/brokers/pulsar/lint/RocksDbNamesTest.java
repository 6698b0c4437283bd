package dev.millrace.brokers.pulsar.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks the RocksDB of the server's distribution itself. */
@Tag("server")
class RocksDbNamesTest {
    /** A class with setters, and the section that its options are in. */
    private static final Map<String, String> SECTIONS = Map.of(
            "DBOptions", "[DBOptions]",
            "ColumnFamilyOptions", "[CFOptions \"default\"]",
            "BlockBasedTableConfig", "[TableOptions/BlockBasedTable \"default\"]");

    private static final KnownSettings KNOWN = new RocksDbKind().known();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allow_fallocate",
                "WAL_ttl_seconds",
                "WAL_size_limit_MB",
                "avoid_unnecessary_blocking_io",
                "bottommost_compression",
                "compaction_pri",
                "compression_opts",
                "memtable_factory",
                "prefix_extractor",
                "block_cache",
                "wal_dir"
            })
    @DisplayName("what RocksDB takes is known, in its own spelling")
    void taken(String name) {
        assertThat(KNOWN.find(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compression_type",
                "level_zero_file_num_compaction_trigger",
                "increase_parallelism",
                "wal_ttl_seconds",
                "allow_f_allocate"
            })
    @DisplayName("what it refuses is not, though its Java classes have such a setter")
    void refused(String name) {
        assertThat(KNOWN.allows(name)).isFalse();
    }

    @Test
    @DisplayName("the names are those that this RocksDB writes, and those of its setters that it takes")
    void asItSays() {
        Path jars = new Distribution(LocalPulsarFiles.distribution()).jars();
        List<String> names = ServerClasses.read(jars, loader -> {
            String written = written(loader);
            assertThat(problem(loader, written)).as("all that it writes").isEmpty();
            TreeSet<String> taken = new TreeSet<>();
            new RocksDbKind()
                    .parse(RocksDbKind.FILE, written).stream()
                            .map(SettingLine::key)
                            .forEach(taken::add);
            for (Map.Entry<String, String> section : SECTIONS.entrySet()) {
                for (String name : ofSetters(loader.loadClass("org.rocksdb." + section.getKey()))) {
                    String more = written.replace(section.getValue(), section.getValue() + "\n  " + name + "=1");
                    if (!taken.contains(name)
                            && problem(loader, more).stream()
                                    .noneMatch(text -> text.contains("Could not find option"))) {
                        taken.add(name);
                    }
                }
            }
            return List.copyOf(taken);
        });
        assertThat(RocksDbKind.names())
                .as("%s has to be:%n%s", RocksDbKind.NAMES, String.join("\n", names))
                .isEqualTo(names);
    }

    private static List<String> ofSetters(Class<?> options) {
        return Stream.of(options.getMethods())
                .filter(method -> method.getName().matches("set[A-Z].*") && method.getParameterCount() == 1)
                .map(method -> method.getName().substring(3))
                .map(name -> name.replaceAll("(?<!^)(?=[A-Z])", "_").toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    /** The file of options that a new database has. */
    private String written(ClassLoader loader) throws IOException, ReflectiveOperationException {
        Path database = Files.createDirectory(folder.resolve("database"));
        Class<?> type = loader.loadClass("org.rocksdb.Options");
        try (AutoCloseable options = made(type)) {
            type.getMethod("setCreateIfMissing", boolean.class).invoke(options, true);
            Method open = loader.loadClass("org.rocksdb.RocksDB").getMethod("open", type, String.class);
            ((AutoCloseable) open.invoke(null, options, database.toString())).close();
        } catch (IOException | ReflectiveOperationException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        try (Stream<Path> files = Files.list(database)) {
            return Files.readString(
                    files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    /** What it says of such a file. */
    private Optional<String> problem(ClassLoader loader, String text) throws IOException, ReflectiveOperationException {
        Path file = Files.writeString(folder.resolve("options"), text);
        Class<?> how = loader.loadClass("org.rocksdb.ConfigOptions");
        Class<?> type = loader.loadClass("org.rocksdb.DBOptions");
        try (AutoCloseable strictly = made(how);
                AutoCloseable options = made(type)) {
            loader.loadClass("org.rocksdb.OptionsUtil")
                    .getMethod("loadOptionsFromFile", how, String.class, type, List.class)
                    .invoke(null, strictly, file.toString(), options, new ArrayList<>());
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(String.valueOf(e.getCause().getMessage()));
        } catch (IOException | ReflectiveOperationException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static AutoCloseable made(Class<?> type) throws ReflectiveOperationException {
        return (AutoCloseable) type.getDeclaredConstructor().newInstance();
    }
}
