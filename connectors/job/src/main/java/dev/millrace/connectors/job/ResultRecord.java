package dev.millrace.connectors.job;

import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.core.window.DeviceWindow;
import java.nio.charset.StandardCharsets;

/**
 * A window in the results topic. Key: the device's id in UTF-8. Timestamp: the window's end. Value: the row as {@link RowBinary},
 * the bytes that a store takes; {@link RowBinary.Decoder} reads them.
 *
 * <p>The topic is written at least once: after a failure a window may come again, with the same device and start, and with the same
 * numbers bit for bit unless readings may be late: what came too late before the failure may be in time after it. So of one
 * device and start the last one in its partition counts.
 */
final class ResultRecord implements SinkSpec.RecordEncoder<DeviceWindow> {
    private static final int ROW_BYTES = 512;

    @Override
    public byte[] key(DeviceWindow window) {
        return window.deviceId().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] value(DeviceWindow window) {
        RowBinary.Encoder encoder = new RowBinary.Encoder(ROW_BYTES);
        encoder.add(window);
        return encoder.take();
    }

    @Override
    public long timestamp(DeviceWindow window) {
        return window.windowEnd();
    }
}
