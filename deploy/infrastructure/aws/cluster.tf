resource "aws_iam_role" "cluster" {
  name = "${var.name}-cluster"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "eks.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
}

resource "aws_eks_cluster" "this" {
  name     = var.name
  version  = var.kubernetes_version
  role_arn = aws_iam_role.cluster.arn

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = true
  }

  vpc_config {
    subnet_ids              = [aws_subnet.nodes.id, aws_subnet.control_plane.id]
    endpoint_private_access = true
    endpoint_public_access  = true
    public_access_cidrs     = var.allow_cidr
  }

  depends_on = [aws_iam_role_policy_attachment.cluster]
}

# Of each add-on the version that EKS gives this Kubernetes by default: one upgrade takes all of them along.
data "aws_eks_addon_version" "by_default" {
  for_each           = var.offline ? [] : toset(["vpc-cni", "kube-proxy", "coredns", "aws-ebs-csi-driver"])
  addon_name         = each.key
  kubernetes_version = var.kubernetes_version
}

# Addresses of pods, and what holds them to their network policies. The one that EKS puts on a cluster by itself takes policies and does nothing about
# them. Before there is a node: its pods would start without. Nodes have its rights by their role.
resource "aws_eks_addon" "network" {
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = "vpc-cni"
  addon_version               = try(data.aws_eks_addon_version.by_default["vpc-cni"].version, null)
  resolve_conflicts_on_create = "OVERWRITE"
  resolve_conflicts_on_update = "OVERWRITE"

  # A word, as the add-on's schema has it, and not a truth value.
  configuration_values = jsonencode({
    enableNetworkPolicy = "true"
  })
}

# EKS puts these on a cluster by itself, too, and leaves them as they are for ever.
resource "aws_eks_addon" "essential" {
  for_each                    = toset(["kube-proxy", "coredns"])
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = each.key
  addon_version               = try(data.aws_eks_addon_version.by_default[each.key].version, null)
  resolve_conflicts_on_create = "OVERWRITE"
  resolve_conflicts_on_update = "OVERWRITE"

  # After nodes, as AWS has it in an upgrade; and CoreDNS is not well before there is one.
  depends_on = [aws_eks_node_group.this]
}

# Volumes of gp3: what has no disk of its own, such as RocksDB on c5.
resource "aws_eks_addon" "volumes" {
  cluster_name             = aws_eks_cluster.this.name
  addon_name               = "aws-ebs-csi-driver"
  addon_version            = try(data.aws_eks_addon_version.by_default["aws-ebs-csi-driver"].version, null)
  service_account_role_arn = aws_iam_role.volumes.arn

  # Volumes that pods asked for are not in Terraform's state: by this they are found when a destroy says what is still billed.
  configuration_values = jsonencode({
    controller = { extraVolumeTags = { "millrace-infrastructure" = var.name } }
  })

  depends_on = [aws_eks_node_group.this]
}
