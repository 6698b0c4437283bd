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

# Volumes of gp3: what has no disk of its own, such as RocksDB on c5.
resource "aws_eks_addon" "volumes" {
  cluster_name             = aws_eks_cluster.this.name
  addon_name               = "aws-ebs-csi-driver"
  service_account_role_arn = aws_iam_role.volumes.arn

  # Volumes that pods asked for are not in Terraform's state: by this they are found when a destroy says what is still billed.
  configuration_values = jsonencode({
    controller = { extraVolumeTags = { "millrace-infrastructure" = var.name } }
  })

  depends_on = [aws_eks_node_group.this]
}
