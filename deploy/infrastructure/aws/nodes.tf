locals {
  wanted = { broker = var.broker_nodes, flink = var.flink_nodes, load = var.load_nodes }
  groups = {
    for name, group in var.groups :
    name => merge(group, lookup(local.wanted, name, null) != null ? { nodes = local.wanted[name] } : {})
  }

  # EKS merges its own settings of a node with this part.
  nvme_user_data = <<-EOT
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="MILLRACE"

    --MILLRACE
    Content-Type: application/node.eks.aws

    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec:
      instance:
        localStorage:
          strategy: Mount
          mountPath: /mnt/k8s-disks

    --MILLRACE--
  EOT
}

resource "aws_iam_role" "node" {
  name = "${var.name}-node"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each = toset([
    "AmazonEKSWorkerNodePolicy",
    "AmazonEKS_CNI_Policy",
    "AmazonEC2ContainerRegistryReadOnly",
  ])
  role       = aws_iam_role.node.name
  policy_arn = "arn:aws:iam::aws:policy/${each.key}"
}

resource "aws_launch_template" "node" {
  for_each  = local.groups
  name      = "${var.name}-${each.key}"
  user_data = each.value.nvme ? base64encode(local.nvme_user_data) : null

  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      volume_type           = "gp3"
      volume_size           = 100
      encrypted             = "true"
      delete_on_termination = "true"
    }
  }

  # A pod may not ask for the node's own rights: one hop ends at the node.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  tag_specifications {
    resource_type = "instance"
    tags          = { Name = "${var.name}-${each.key}", "millrace-infrastructure" = var.name }
  }

  tag_specifications {
    resource_type = "volume"
    tags          = { Name = "${var.name}-${each.key}", "millrace-infrastructure" = var.name }
  }
}

resource "aws_eks_node_group" "this" {
  for_each        = local.groups
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = each.key
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = [aws_subnet.nodes.id]
  instance_types  = [each.value.type]
  ami_type        = "AL2023_x86_64_STANDARD"
  labels          = { "millrace/role" = each.key }

  # When this changes, EKS puts other machines in the place of all of a group, one after the other. What is on a machine's own disks goes with it, and
  # nothing brings it back in time: those groups stay at what they were made with until somebody who is ready for that says another one.
  version = each.value.nvme ? var.nvme_kubernetes_version : aws_eks_cluster.this.version

  launch_template {
    id      = aws_launch_template.node[each.key].id
    version = aws_launch_template.node[each.key].latest_version
  }

  scaling_config {
    desired_size = each.value.nodes
    min_size     = each.value.nodes
    max_size     = each.value.nodes
  }

  dynamic "taint" {
    for_each = each.value.taint ? [each.key] : []
    content {
      key    = "millrace/role"
      value  = taint.value
      effect = "NO_SCHEDULE"
    }
  }

  # Without a way out a machine cannot join, and is billed. So the way is there first, and is the last to go.
  depends_on = [
    aws_iam_role_policy_attachment.node,
    aws_eks_addon.network,
    aws_route_table_association.nodes,
    aws_route_table_association.public,
  ]
}
