/**
 * What a stack is made of, each started, watched and stopped alike: processes of its own, servers of a plugin, and what somebody
 * else runs. Decides nothing: when a part is started again is the supervisor's business.
 */
package dev.millrace.deploy.local.part;
