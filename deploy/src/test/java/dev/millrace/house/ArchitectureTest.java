package dev.millrace.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who may import whom: the folder list of the README, read from top to bottom, held by the classes that were built. */
class ArchitectureTest {
    private static final Repository REPOSITORY = new Repository();
    /** What this build has compiled so far: perf comes after deploy and depends on it, Maven refuses the way back. */
    private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(built());

    private static List<Path> built() {
        return REPOSITORY
                .files("pom.xml")
                .map(pom -> REPOSITORY.root.resolve(pom).resolveSibling("target/classes"))
                .filter(Files::isDirectory)
                .toList();
    }

    @Test
    @DisplayName("there is something to check")
    void somethingToCheck() {
        assertThat(CLASSES.stream().map(c -> c.getPackageName()).distinct())
                .contains("dev.millrace.core.settings", "dev.millrace.connectors.api.broker");
    }

    @Test
    @DisplayName("core imports nothing of the house")
    void coreAlone() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.connectors..",
                        "dev.millrace.brokers..",
                        "dev.millrace.deploy..",
                        "dev.millrace.perf..")
                .check(CLASSES);
    }

    @Test
    @DisplayName("connectors import no broker, not deploy, not perf")
    void connectorsBelowBrokers() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.connectors..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.millrace.brokers..", "dev.millrace.deploy..", "dev.millrace.perf..")
                .check(CLASSES);
    }

    @Test
    @DisplayName("a broker imports neither deploy nor perf, and of the connectors only the SPI")
    void brokersKnowTheSpi() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.brokers..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.deploy..",
                        "dev.millrace.perf..",
                        "dev.millrace.connectors.generator..",
                        "dev.millrace.connectors.job..",
                        "dev.millrace.connectors.stores..",
                        "dev.millrace.connectors.testkit..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    @DisplayName("no broker imports another")
    void brokersApart() {
        slices().matching("dev.millrace.brokers.(*)..")
                .should()
                .notDependOnEachOther()
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    @DisplayName("deploy imports no broker and not perf")
    void deployNamesNoBroker() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.deploy..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.millrace.brokers..", "dev.millrace.perf..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    @DisplayName("only the store's own module touches DuckDB")
    void duckDbAtHome() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.millrace.connectors.stores.duckdb..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.duckdb..")
                .check(CLASSES);
    }

    @Test
    @DisplayName("main code knows no test library, the contract kit excepted")
    void noTestLibraries() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.millrace.connectors.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..", "org.assertj..", "com.tngtech..")
                .check(CLASSES);
    }

    @Test
    @DisplayName("no cycle between packages")
    void noCycles() {
        slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
