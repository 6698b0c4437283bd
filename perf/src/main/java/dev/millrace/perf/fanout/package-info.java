/**
 * The processes of a fan-out: one in which reader groups read, and one in which a topic is copied. They are processes of their own,
 * so that their CPU is not the rig's; what they are told and what they answer are properties files. What is made of their answers
 * is not decided here.
 */
package dev.millrace.perf.fanout;
