package dev.millrace.perf.baselines;

import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The row of a window that is through; the device is what follows the key's last slash. */
final class WindowRow extends ProcessWindowFunction<Accumulator, DeviceWindow, String, TimeWindow> {
    private static final long serialVersionUID = 1;

    @Override
    public void process(String key, Context context, Iterable<Accumulator> values, Collector<DeviceWindow> out) {
        TimeWindow window = context.window();
        String deviceId = key.substring(key.lastIndexOf('/') + 1);
        out.collect(new DeviceWindow(
                deviceId,
                window.getStart(),
                window.getEnd(),
                values.iterator().next().copy()));
    }
}
