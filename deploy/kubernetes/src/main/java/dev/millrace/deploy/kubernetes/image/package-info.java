/**
 * Container images out of a built clone, made by Jib Core without a Docker daemon: what is in them, under which tag, on which base, and
 * where they go (a registry or a folder of tars). What runs in a cluster, and how images get onto its nodes, lives elsewhere. No broker
 * is named here.
 */
package dev.millrace.deploy.kubernetes.image;
