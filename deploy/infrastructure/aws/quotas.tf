# An account that may not run as many vCPUs would learn it half way, with the first half billed.

data "aws_ec2_instance_type" "group" {
  for_each      = var.check_quotas ? toset([for group in values(local.groups) : group.type]) : []
  instance_type = each.key
}

data "aws_servicequotas_service_quota" "vcpus" {
  count        = var.check_quotas ? 1 : 0
  service_code = "ec2"
  quota_name   = "Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances"
}

locals {
  vcpus = var.check_quotas ? sum([
    for group in values(local.groups) : group.nodes * data.aws_ec2_instance_type.group[group.type].default_vcpus
  ]) : 0
}

resource "terraform_data" "quotas" {
  count = var.check_quotas ? 1 : 0
  input = local.vcpus

  lifecycle {
    precondition {
      condition     = local.vcpus <= data.aws_servicequotas_service_quota.vcpus[0].value
      error_message = <<-EOT
        The nodes need ${local.vcpus} vCPUs and this account may run ${data.aws_servicequotas_service_quota.vcpus[0].value} in ${var.region}
        (quota "Running On-Demand Standard instances"): ask for more in Service Quotas, or take fewer nodes.
      EOT
    }
  }
}
