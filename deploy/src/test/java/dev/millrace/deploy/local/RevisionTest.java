package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionTest {
    @TempDir
    Path clone;

    @Test
    @DisplayName("it is the commit of the build, and a build without git has none")
    void ofTheBuild() throws IOException {
        assertThat(Revision.of(clone)).isEmpty();
        built("beef", false);
        assertThat(Revision.of(clone)).hasToString("Optional[beef]");
        built("beef", true);
        assertThat(Revision.of(clone)).hasToString("Optional[beef and changes that are not committed]");
    }

    private void built(String commit, boolean dirty) throws IOException {
        Path target = Files.createDirectories(clone.resolve("deploy/target"));
        Files.writeString(
                target.resolve("commit.properties"), "git.commit.id.full=" + commit + "\ngit.dirty=" + dirty + "\n");
    }

    @Test
    @DisplayName("this build has written its own down")
    void ofThisBuild() {
        Path root = Path.of("..").toAbsolutePath().normalize();
        assertThat(Files.exists(root.resolve(".git")))
                .isEqualTo(Revision.of(root).isPresent());
        Revision.of(root).ifPresent(revision -> assertThat(revision.commit()).matches("[0-9a-f]{40}"));
    }
}
