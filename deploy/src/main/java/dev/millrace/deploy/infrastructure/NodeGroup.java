package dev.millrace.deploy.infrastructure;

/**
 * Machines of one type for one purpose.
 *
 * @param name what they are for, such as {@code broker}
 * @param type family and size, such as {@code i7i.8xlarge}
 * @param nodes from 1
 */
public record NodeGroup(String name, String type, int nodes) {}
