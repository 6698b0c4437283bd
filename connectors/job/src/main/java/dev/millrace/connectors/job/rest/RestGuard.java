package dev.millrace.connectors.job.rest;

import dev.millrace.connectors.api.local.LoopbackHost;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFutureListener;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.FullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaders;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpVersion;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.QueryStringDecoder;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;

/**
 * Keeps web pages of others away from Flink's REST interface, which has no password. A browser on this machine reaches it, and takes
 * requests there from any page: refused is what names another origin, what means another host where it listens on loopback, and the
 * two paths by which Flink ends a job on a mere GET. Found by Flink as a service.
 */
public final class RestGuard implements InboundChannelHandlerFactory {
    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Optional<ChannelHandler> createHandler(Configuration configuration, Map<String, String> responseHeaders) {
        String bind = configuration.get(RestOptions.BIND_ADDRESS);
        return Optional.of(new Guard(LoopbackHost.isMeantBy(bind)));
    }

    /** One for each connection. */
    private static final class Guard extends ChannelInboundHandlerAdapter {
        private final boolean onLoopback;

        Guard(boolean onLoopback) {
            this.onLoopback = onLoopback;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof HttpRequest request) || isAllowed(request)) {
                context.fireChannelRead(message);
                return;
            }
            ReferenceCountUtil.release(message);
            FullHttpResponse refusal = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
            refusal.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0).set(HttpHeaderNames.CONNECTION, "close");
            context.writeAndFlush(refusal).addListener(ChannelFutureListener.CLOSE);
        }

        private boolean isAllowed(HttpRequest request) {
            HttpHeaders headers = request.headers();
            String host = headers.get(HttpHeaderNames.HOST);
            String origin = headers.get(HttpHeaderNames.ORIGIN);
            return (!onLoopback || LoopbackHost.isMeantBy(host))
                    && (origin == null || origin.equals("http://" + host) || origin.equals("https://" + host))
                    && !endsJob(request.uri());
        }

        /** As Flink's router sees it: decoded, each step of the path once more, and without slashes at the end. */
        private static boolean endsJob(String uri) {
            try {
                String path = QueryStringDecoder.decodeComponent(new QueryStringDecoder(uri).path())
                        .replaceFirst("/+$", "");
                return path.endsWith("/yarn-cancel") || path.endsWith("/yarn-stop");
            } catch (IllegalArgumentException e) {
                // What cannot be decoded means nothing here.
                return true;
            }
        }
    }
}
