package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The files of the production shape, checked in seconds and without a cluster, an operator or a chart. */
class ProductionTest {
    private static final Production PRODUCTION = Production.ofClone();

    @Test
    @DisplayName("there are files to check, of two brokers")
    void something() {
        assertThat(PRODUCTION.brokers()).hasSize(2);
        assertThat(PRODUCTION.files().objects()).hasSizeGreaterThan(20);
        assertThat(PRODUCTION.documents()).hasSizeGreaterThan(40);
        assertThat(PRODUCTION.brokers()).allSatisfy(broker -> assertThat(BrokerPods.of(PRODUCTION, broker))
                .hasSizeGreaterThan(2));
    }

    @Test
    @DisplayName("in the files of this clone there is nothing to find")
    void nothing() {
        List<Finding> found = ProductionCheck.of(PRODUCTION);
        assertThat(found).isEmpty();
    }
}
