package dev.millrace.deploy.kubernetes;

import java.io.IOException;
import java.util.List;

/** The first of the brokers that have manifests. */
class RealPodsOfFirstBrokerTest extends RealPods {
    @Override
    List<String> brokers() throws IOException {
        return TestCluster.brokers().subList(0, 1);
    }
}
