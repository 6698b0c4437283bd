package dev.millrace.brokers.memory.log;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One connection: reads a request, answers it, reads the next. Runs on its own thread. */
final class Session implements Runnable {
    private static final long FETCH_WAIT_MILLIS_MAX = 1_000;

    private final Socket socket;
    private final Topics topics;
    private final Gate gate;
    private final FrameWriter out = new FrameWriter();

    Session(Socket socket, Topics topics, Gate gate) {
        this.socket = socket;
        this.topics = topics;
        this.gate = gate;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            FrameReader frames = new FrameReader(socket.getInputStream());
            OutputStream sink = socket.getOutputStream();
            while (true) {
                ByteBuffer frame = frames.next();
                if (frame == null) {
                    continue;
                }
                gate.pass();
                if (!frame.hasRemaining()) {
                    metrics(sink);
                    return;
                }
                answer(frame);
                gate.pass();
                out.send(sink);
            }
        } catch (IOException e) {
            // The client went away; its publisher or reader comes back on a new connection.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(ByteBuffer frame) throws InterruptedException {
        byte request = frame.get();
        try {
            out.begin(Wire.OK);
            handle(request, frame);
        } catch (WrongRequestException e) {
            out.begin(e.status()).text(e.getMessage());
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            out.begin(Wire.WRONG).text("request " + request + " is malformed: " + e);
        }
    }

    private void handle(byte request, ByteBuffer frame) throws InterruptedException {
        switch (request) {
            case Wire.PING -> out.text("millrace-memory").number(topics.budget().maxBytes());
            case Wire.CREATE ->
                topics.create(
                        FrameReader.text(frame), frame.getInt(), frame.getInt(), frame.getLong(), frame.getLong());
            case Wire.DELETE -> topics.delete(FrameReader.text(frame));
            case Wire.ADD_PARTITIONS -> topics.addPartitions(FrameReader.text(frame), frame.getInt());
            case Wire.DESCRIBE -> describe(FrameReader.text(frame));
            case Wire.PUBLISH -> topics.existing(FrameReader.text(frame)).publish(frame, out, topics.budget());
            case Wire.FETCH -> fetch(frame);
            case Wire.COMMIT -> commit(frame);
            case Wire.LAG -> {
                Topic topic = topics.existing(FrameReader.text(frame));
                out.number(topic.lag(FrameReader.text(frame)));
            }
            case Wire.FORGET -> topics.forget(FrameReader.text(frame), FrameReader.text(frame));
            default -> throw new WrongRequestException(Wire.WRONG, "there is no request " + request);
        }
    }

    private void describe(String name) {
        Topic topic = topics.find(name);
        if (topic == null) {
            out.number(0);
        } else {
            topic.describe(out);
        }
    }

    private void fetch(ByteBuffer frame) throws InterruptedException {
        Topic topic = topics.existing(FrameReader.text(frame));
        int maxBytes = frame.getInt();
        long waitMillis = Math.min(FETCH_WAIT_MILLIS_MAX, frame.getInt());
        int count = frame.getInt();
        List<Topic.Wanted> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wanted.add(new Topic.Wanted(frame.getInt(), frame.getLong(), frame.getLong(), frame.getLong()));
        }
        topic.fetch(wanted, maxBytes, waitMillis, out);
    }

    private void commit(ByteBuffer frame) {
        Topic topic = topics.existing(FrameReader.text(frame));
        String group = FrameReader.text(frame);
        int count = frame.getInt();
        for (int i = 0; i < count; i++) {
            topic.commit(group, frame.getInt(), frame.getLong(), frame.getLong());
        }
    }

    /** Answers any plain HTTP request with the metrics: one port serves both. */
    private void metrics(OutputStream sink) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("# TYPE millrace_memory_kept_bytes gauge\n");
        text.append("# TYPE millrace_memory_records_total counter\n");
        topics.all().forEach((name, topic) -> text.append("millrace_memory_kept_bytes{topic=\"")
                .append(name)
                .append("\"} ")
                .append(topic.keptBytes())
                .append("\nmillrace_memory_records_total{topic=\"")
                .append(name)
                .append("\"} ")
                .append(topic.endOffsets())
                .append('\n'));
        text.append("# TYPE millrace_memory_budget_bytes gauge\nmillrace_memory_budget_bytes ")
                .append(topics.budget().maxBytes())
                .append('\n');
        byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
        OutputStream buffered = new BufferedOutputStream(sink);
        buffered.write(("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\n"
                        + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        buffered.write(body);
        buffered.flush();
        socket.shutdownOutput();
        // Until the client closes: closing with unread input would reset the connection under the answer.
        socket.setSoTimeout(1_000);
        socket.getInputStream().skipNBytes(Long.MAX_VALUE);
    }
}
