/**
 * What brings a stack up, changes it while it runs and ends it, with what is checked, planned and said on the way. It starts the
 * supervisor and asks it; the parts are the supervisor's.
 */
package dev.millrace.deploy.local.lifecycle;
