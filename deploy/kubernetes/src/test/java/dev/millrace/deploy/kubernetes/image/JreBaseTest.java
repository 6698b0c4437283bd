package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Without jlink, which takes most of the time: that the base runs is seen where images are run. */
class JreBaseTest {
    @Test
    @DisplayName("the libraries are those that Java's own name, the loader, and those that natives in jars name")
    void libraries() {
        List<Path> libraries = SharedLibraries.of(Path.of(System.getProperty("java.home")));
        assertThat(libraries).allMatch(Files::isRegularFile).isSorted().doesNotHaveDuplicates();
        assertThat(libraries)
                .extracting(library -> library.getFileName().toString())
                .contains("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1")
                .anyMatch(name -> name.startsWith("ld-linux"));
        assertThat(libraries).noneMatch(library -> library.startsWith(System.getProperty("java.home")));
    }
}
