/** Images of a tiny clone that is made for each test, read back from the files or the registry that they went to. */
package dev.millrace.deploy.kubernetes.image;
