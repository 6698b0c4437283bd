package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The questions that users ask first: views that every store has beside its tables, with the same columns. */
public enum StoreView {
    /** The newest window of each device, with all columns. */
    LATEST_PER_DEVICE("window_end DESC, device_id"),
    /** Each device's hours: windows, readings, least, greatest and mean of each measure; for windows that tumble. */
    HOURLY_ROLLUP("hour DESC, device_id"),
    /** Devices whose newest window has readings of status ERROR. */
    DEVICES_IN_ERROR("window_end DESC, device_id"),
    /** How far each device's mean temperature moved from its last window but one to its last; the farthest first. */
    TOP_MOVERS("abs(temperature_change) DESC, device_id");

    private final String order;

    StoreView(String order) {
        this.order = order;
    }

    /** What stands behind ORDER BY where a part of the rows is shown: the first ones first. */
    public String order() {
        return order;
    }

    public String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The view of that name; a wrong one is a UserException that lists those there are. */
    public static StoreView named(String name) {
        List<String> names =
                Arrays.stream(values()).map(StoreView::sqlName).sorted().toList();
        for (StoreView view : values()) {
            if (view.sqlName().equals(name)) {
                return view;
            }
        }
        throw new UserException("there is no view '" + name + "'"
                + Suggestion.didYouMean(name, names)
                + "; there are: " + String.join(", ", names));
    }

    /** The store's own SQL of it: {@code views/NAME.sql} beside {@code store}. */
    public String sql(Class<?> store) {
        String file = "views/" + sqlName() + ".sql";
        try (InputStream in = store.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + file + " beside " + store.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + " beside " + store.getName(), e);
        }
    }
}
