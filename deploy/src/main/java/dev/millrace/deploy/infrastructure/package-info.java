/**
 * The machines of a deployment on AWS: Terraform run on the configuration in {@code deploy/infrastructure/aws}, and what its plan will
 * cost. What a machine costs is in {@code price}; what a person sees and says is with the command. No broker is named here.
 */
package dev.millrace.deploy.infrastructure;
