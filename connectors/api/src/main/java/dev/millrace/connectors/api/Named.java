package dev.millrace.connectors.api;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;

/** Discovery by name, the same for brokers and stores. */
public final class Named {
    private Named() {}

    /** The names of all services of a type, sorted. */
    public static <S> List<String> names(Class<S> type, Function<S, String> name) {
        return all(type).stream().map(name).sorted().toList();
    }

    /** The one service of that name. */
    public static <S> S find(Class<S> type, Function<S, String> name, String what, String wanted) {
        List<S> all = all(type);
        List<S> found = all.stream().filter(s -> name.apply(s).equals(wanted)).toList();
        if (found.size() > 1) {
            throw new EnvironmentException("two plugins call themselves " + what + " '" + wanted + "': "
                    + found.get(0).getClass().getName() + " and "
                    + found.get(1).getClass().getName() + "; take one off the class path");
        }
        if (found.isEmpty()) {
            List<String> names = all.stream().map(name).sorted().toList();
            throw new UserException("there is no " + what + " '" + wanted + "'"
                    + Suggestion.didYouMean(wanted, names)
                    + (names.isEmpty() ? "; none is on the class path" : "; there are: " + String.join(", ", names)));
        }
        return found.get(0);
    }

    private static <S> List<S> all(Class<S> type) {
        return ServiceLoader.load(type).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
