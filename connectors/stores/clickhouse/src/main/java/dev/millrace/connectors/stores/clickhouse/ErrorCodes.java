package dev.millrace.connectors.stores.clickhouse;

import java.util.Set;

/**
 * What a server's error codes mean for who asks. The numbers are ClickHouse's own ({@code src/Common/ErrorCodes.cpp}).
 */
final class ErrorCodes {
    static final int READONLY = 164;

    private static final Set<Integer> AUTHENTICATION = Set.of(
            192, // UNKNOWN_USER
            193, // WRONG_PASSWORD
            194, // REQUIRED_PASSWORD
            516); // AUTHENTICATION_FAILED

    private static final int ACCESS_DENIED = 497;

    /** It is too busy, restarting or cut off, and may take the same thing later. */
    private static final Set<Integer> PASSING = Set.of(
            3, // UNEXPECTED_END_OF_FILE
            75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
            159, // TIMEOUT_EXCEEDED
            242, // TABLE_IS_READ_ONLY
            198, // DNS_ERROR
            201, // QUOTA_EXCEEDED
            202, // TOO_MANY_SIMULTANEOUS_QUERIES
            203, // NO_FREE_CONNECTION
            209, // SOCKET_TIMEOUT
            210, // NETWORK_ERROR
            225, // NO_ZOOKEEPER
            236, // ABORTED
            241, // MEMORY_LIMIT_EXCEEDED
            243, // NOT_ENOUGH_SPACE
            244, // UNEXPECTED_ZOOKEEPER_ERROR
            252, // TOO_MANY_PARTS
            254, // NO_ACTIVE_REPLICAS
            279, // ALL_CONNECTION_TRIES_FAILED
            285, // TOO_FEW_LIVE_REPLICAS
            286, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
            289, // REPLICA_IS_NOT_IN_QUORUM
            319, // UNKNOWN_STATUS_OF_INSERT
            341, // UNFINISHED
            394, // QUERY_WAS_CANCELLED
            416, // REPLICA_STATUS_CHANGED
            425, // SYSTEM_ERROR
            439, // CANNOT_SCHEDULE_TASK
            473, // DEADLOCK_AVOIDED
            733, // TABLE_IS_BEING_RESTARTED
            745, // SERVER_OVERLOADED
            999, // KEEPER_EXCEPTION
            1001); // STD_EXCEPTION, of a full disk too

    private ErrorCodes() {}

    static boolean isAuthentication(int code) {
        return AUTHENTICATION.contains(code);
    }

    static boolean isMissingRight(int code) {
        return code == ACCESS_DENIED;
    }

    static boolean isPassing(int code) {
        return PASSING.contains(code);
    }
}
