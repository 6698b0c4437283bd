package dev.millrace.deploy.kubernetes;

import java.io.IOException;
import java.util.List;

/** All brokers that have manifests but the first. */
class RealPodsOfOtherBrokersTest extends RealPods {
    @Override
    List<String> brokers() throws IOException {
        return TestCluster.brokers().stream().skip(1).toList();
    }
}
