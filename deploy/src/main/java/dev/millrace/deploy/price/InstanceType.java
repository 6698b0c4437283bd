package dev.millrace.deploy.price;

import java.util.regex.Pattern;

/** How types of instances are written. */
public final class InstanceType {
    private static final Pattern TYPE =
            Pattern.compile("[a-z][a-z0-9-]*\\.(nano|micro|small|medium|large|\\d*xlarge|metal(-\\d+xl)?)");

    private InstanceType() {}

    /** Whether it is family and size, such as {@code c5.2xlarge}; whether there is such a type only the provider knows. */
    public static boolean isType(String text) {
        return TYPE.matcher(text).matches();
    }
}
