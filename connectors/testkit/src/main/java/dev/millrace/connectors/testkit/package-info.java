/** Contract kits, in main sources so that each plugin's tests can extend them. Nothing here runs in production. */
package dev.millrace.connectors.testkit;
