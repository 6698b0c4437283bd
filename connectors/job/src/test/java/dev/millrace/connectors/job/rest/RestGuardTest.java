package dev.millrace.connectors.job.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.ServiceLoader;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestGuardTest {
    @ParameterizedTest(name = "{0} {1} of {2} from {3}: {4}")
    @CsvSource({
        "127.0.0.1, /jobs/overview,        127.0.0.1:8081,    ,                      true",
        "127.0.0.1, /jobs/overview,        localhost:8081,    http://localhost:8081, true",
        "127.0.0.1, /jobs/overview,        127.0.0.1:8081,    http://evil.example,   false",
        "127.0.0.1, /jobs/overview,        127.0.0.1:8081,    null,                  false",
        "127.0.0.1, /jobs/overview,        evil.example:8081, ,                      false",
        "127.0.0.1, /jobs/overview,        ,                  ,                      false",
        "127.0.0.1, /jobs/a/yarn-cancel,   127.0.0.1:8081,    ,                      false",
        "127.0.0.1, /jobs/a/yarn-stop?x=y, 127.0.0.1:8081,    ,                      false",
        "127.0.0.1, /jobs/a/yarn-cancel/,  127.0.0.1:8081,    ,                      false",
        "127.0.0.1, /jobs/a/yarn%2Dcancel, 127.0.0.1:8081,    ,                      false",
        "127.0.0.1, /jobs/a/yarn%252Dstop//, 127.0.0.1:8081,  ,                      false",
        "127.0.0.1, /jobs/a%zz,            127.0.0.1:8081,    ,                      false",
        "127.0.0.1, /taskmanagers/h%3A1-x, 127.0.0.1:8081,    ,                      true",
        "jobmanager, /jobs/overview,        jobmanager:8081,   ,                      true",
        "jobmanager, /jobs/overview,        jobmanager:8081,   http://evil.example,   false",
        "jobmanager, /jobs/a/yarn-cancel,   jobmanager:8081,   ,                      false"
    })
    @DisplayName("only who means this server and comes from no other page is let through")
    void letsThrough(String bind, String path, String host, String origin, boolean isLetThrough) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_ADDRESS, bind);
        EmbeddedChannel channel = new EmbeddedChannel(
                new RestGuard().createHandler(configuration, Map.of()).orElseThrow());
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
        if (host != null) {
            request.headers().set("Host", host);
        }
        if (origin != null) {
            request.headers().set("Origin", origin);
        }
        assertThat(channel.writeInbound(request)).isEqualTo(isLetThrough);
        HttpResponse refusal = channel.readOutbound();
        assertThat(refusal == null).isEqualTo(isLetThrough);
        if (refusal != null) {
            assertThat(refusal.status().code()).isEqualTo(403);
        }
        channel.finishAndReleaseAll();
    }

    @Test
    @DisplayName("Flink finds it")
    void isAService() {
        assertThat(ServiceLoader.load(InboundChannelHandlerFactory.class)).hasAtLeastOneElementOfType(RestGuard.class);
    }
}
