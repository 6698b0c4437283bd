# What a plan holds, with a provider that asks nobody.

mock_provider "aws" {
  mock_data "aws_ec2_instance_type" {
    defaults = { default_vcpus = 16 }
  }
  mock_data "aws_servicequotas_service_quota" {
    defaults = { value = 1024 }
  }
  mock_data "aws_eks_addon_version" {
    defaults = { version = "v1.2.3-eksbuild.4" }
  }
}

override_resource {
  target          = aws_eks_cluster.this
  override_during = plan
  values = {
    name     = "millrace"
    identity = [{ oidc = [{ issuer = "https://oidc.example/id/1" }] }]
  }
}

override_resource {
  target          = aws_iam_openid_connect_provider.this
  override_during = plan
  values          = { arn = "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/1" }
}

override_resource {
  target          = aws_s3_bucket.state
  override_during = plan
  values          = { arn = "arn:aws:s3:::millrace-state-1" }
}

variables {
  allow_cidr     = ["203.0.113.7/32"]
  job_namespaces = ["millrace-north", "millrace-south"]
}

run "nodes" {
  command = plan

  assert {
    condition = {
      for name, group in aws_eks_node_group.this : name => "${group.instance_types[0]} x ${group.scaling_config[0].desired_size}"
      } == {
      broker = "i7i.8xlarge x 3"
      flink  = "c5.4xlarge x 4"
      load   = "c5.4xlarge x 4"
      store  = "r6id.4xlarge x 3"
      infra  = "m5.2xlarge x 3"
    }
    error_message = "the groups are not those that README.md has"
  }

  assert {
    condition     = alltrue([for group in aws_eks_node_group.this : length(group.subnet_ids) == 1])
    error_message = "nodes are in more than one zone"
  }

  assert {
    condition     = aws_subnet.nodes.availability_zone == "us-east-1a" && aws_subnet.control_plane.availability_zone == "us-east-1b"
    error_message = "the nodes' zone is not the first"
  }

  assert {
    condition = alltrue([
      for name, group in aws_eks_node_group.this : name == "infra" ? length(group.taint) == 0 : one(group.taint[*].value) == name
    ])
    error_message = "a taint keeps everything else off a group, and off infra nothing"
  }

  assert {
    condition     = alltrue([for name, group in aws_eks_node_group.this : group.labels["millrace/role"] == name])
    error_message = "pods find their nodes by millrace/role"
  }
}

run "disks" {
  command = plan

  assert {
    condition = alltrue([
      for name in ["broker", "store"] : strcontains(base64decode(aws_launch_template.node[name].user_data), "mountPath: /mnt/k8s-disks")
    ])
    error_message = "the instances' own disks are not mounted"
  }

  assert {
    condition     = alltrue([for name in ["flink", "load", "infra"] : aws_launch_template.node[name].user_data == null])
    error_message = "a group without such disks mounts them"
  }

  assert {
    condition     = alltrue([for template in aws_launch_template.node : template.block_device_mappings[0].ebs[0].encrypted == "true"])
    error_message = "a root volume is not encrypted"
  }

  assert {
    condition = alltrue([
      for template in aws_launch_template.node : template.metadata_options[0].http_tokens == "required" && template.metadata_options[0].http_put_response_hop_limit == 1
    ])
    error_message = "a pod can take the node's rights"
  }
}

run "add_ons" {
  command = plan

  assert {
    condition     = aws_eks_addon.network.addon_name == "vpc-cni" && jsondecode(aws_eks_addon.network.configuration_values).enableNetworkPolicy == "true"
    error_message = "network policies are taken, and nothing is done about them"
  }

  assert {
    condition     = contains(keys(aws_iam_role_policy_attachment.node), "AmazonEKS_CNI_Policy")
    error_message = "the network's add-on has no role of its own, and nodes not its rights"
  }

  assert {
    condition     = toset([for addon in aws_eks_addon.essential : addon.addon_name]) == toset(["kube-proxy", "coredns"])
    error_message = "an add-on that every cluster has is left at the version that it was made with"
  }

  assert {
    condition = alltrue([
      for addon in concat([aws_eks_addon.network, aws_eks_addon.volumes], values(aws_eks_addon.essential)) : addon.addon_version == "v1.2.3-eksbuild.4"
    ])
    error_message = "an add-on has not the version that belongs to the cluster's"
  }

  assert {
    condition     = alltrue([for asked in data.aws_eks_addon_version.by_default : asked.kubernetes_version == aws_eks_cluster.this.version])
    error_message = "versions of add-ons are those of another Kubernetes"
  }
}

run "upgrade" {
  command = plan

  variables {
    kubernetes_version      = "1.36"
    nvme_kubernetes_version = "1.34"
  }

  assert {
    condition     = aws_eks_cluster.this.version == "1.36"
    error_message = "the control plane is not upgraded"
  }

  assert {
    condition     = alltrue([for name in ["flink", "load", "infra"] : aws_eks_node_group.this[name].version == "1.36"])
    error_message = "nodes without disks of their own are left behind"
  }

  assert {
    condition     = alltrue([for name in ["broker", "store"] : aws_eks_node_group.this[name].version == "1.34"])
    error_message = "nodes with disks of their own are emptied by an upgrade of the rest"
  }
}

run "access" {
  command = plan

  assert {
    condition     = toset(aws_eks_cluster.this.vpc_config[0].public_access_cidrs) == toset(["203.0.113.7/32"])
    error_message = "the API can be reached from elsewhere"
  }

  assert {
    condition = jsondecode(aws_iam_role.flink.assume_role_policy).Statement[0].Condition.StringEquals == {
      "oidc.example/id/1:aud" = "sts.amazonaws.com"
      "oidc.example/id/1:sub" = ["system:serviceaccount:millrace-north:flink", "system:serviceaccount:millrace-south:flink"]
    }
    error_message = "another service account can take the job's role"
  }

  assert {
    condition = alltrue([
      for statement in jsondecode(aws_iam_role_policy.flink.policy).Statement : startswith(statement.Resource, "arn:aws:s3:::millrace-state-1")
    ])
    error_message = "the job may reach more than its bucket"
  }

  assert {
    condition = alltrue([
      aws_s3_bucket_public_access_block.state.block_public_acls, aws_s3_bucket_public_access_block.state.block_public_policy,
      aws_s3_bucket_public_access_block.state.ignore_public_acls, aws_s3_bucket_public_access_block.state.restrict_public_buckets,
    ])
    error_message = "the bucket can be made public"
  }
}

run "six_brokers" {
  command = plan

  variables {
    broker_nodes = 6
  }

  assert {
    condition = (
      aws_eks_node_group.this["broker"].scaling_config[0].desired_size == 6
      && aws_eks_node_group.this["flink"].scaling_config[0].desired_size == 4
      && output.vcpus == 20 * 16
    )
    error_message = "the groups are not those that were asked for"
  }
}

run "nodes_of_a_rate" {
  command = plan

  variables {
    flink_nodes = 2
    load_nodes  = 1
  }

  assert {
    condition = (
      aws_eks_node_group.this["broker"].scaling_config[0].desired_size == 3
      && aws_eks_node_group.this["flink"].scaling_config[0].desired_size == 2
      && aws_eks_node_group.this["load"].scaling_config[0].desired_size == 1
      && aws_eks_node_group.this["store"].scaling_config[0].desired_size == 3
    )
    error_message = "the groups are not those that were asked for"
  }
}

run "quota_too_small" {
  command = plan

  override_data {
    target = data.aws_servicequotas_service_quota.vcpus[0]
    values = { value = 271 }
  }

  # 17 nodes of 16.
  expect_failures = [terraform_data.quotas]
}

run "quota_that_just_fits" {
  command = plan

  override_data {
    target = data.aws_servicequotas_service_quota.vcpus[0]
    values = { value = 272 }
  }
}

run "everybody_is_refused" {
  command = plan
  variables {
    allow_cidr = ["0.0.0.0/0"]
  }
  expect_failures = [var.allow_cidr]
}

run "everybody_of_ipv6_is_refused" {
  command = plan
  variables {
    allow_cidr = ["::/0"]
  }
  expect_failures = [var.allow_cidr]
}

run "nobody_is_refused" {
  command = plan
  variables {
    allow_cidr = []
  }
  expect_failures = [var.allow_cidr]
}

run "one_zone_is_refused" {
  command = plan
  variables {
    zones = ["us-east-1a", "us-east-1a"]
  }
  expect_failures = [var.zones]
}

run "no_node_for_what_tolerates_nothing" {
  command = plan
  variables {
    groups = { broker = { type = "i7i.8xlarge", nodes = 3 } }
  }
  expect_failures = [var.groups]
}
