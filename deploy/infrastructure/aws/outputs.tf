output "cluster" {
  value = aws_eks_cluster.this.name
}

output "kubeconfig" {
  description = "Makes the context that a deploy is told by -Dmillrace.context."
  value       = "aws eks update-kubeconfig --region ${var.region} --name ${aws_eks_cluster.this.name} --alias ${var.name}"
}

output "state_bucket" {
  value = aws_s3_bucket.state.bucket
}

output "flink_role" {
  description = "For the annotation eks.amazonaws.com/role-arn of the service account flink."
  value       = aws_iam_role.flink.arn
}

output "vcpus" {
  description = "Of all nodes; 0 when quotas were not asked for."
  value       = local.vcpus
}
