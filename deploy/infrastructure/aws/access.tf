# A service account of the cluster may take one role, and no other account may take it.

locals {
  issuer = replace(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://", "")

  service_accounts = {
    # Whichever broker it reads from, the job's account is called the same.
    flink   = [for namespace in var.job_namespaces : "system:serviceaccount:${namespace}:flink"]
    volumes = ["system:serviceaccount:kube-system:ebs-csi-controller-sa"]
  }

  trust = {
    for name, subjects in local.service_accounts : name => jsonencode({
      Version = "2012-10-17"
      Statement = [{
        Effect    = "Allow"
        Action    = "sts:AssumeRoleWithWebIdentity"
        Principal = { Federated = aws_iam_openid_connect_provider.this.arn }
        Condition = {
          StringEquals = {
            "${local.issuer}:aud" = "sts.amazonaws.com"
            "${local.issuer}:sub" = subjects
          }
        }
      }]
    })
  }
}

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}

resource "aws_iam_role" "flink" {
  name               = "${var.name}-flink"
  assume_role_policy = local.trust.flink
}

resource "aws_iam_role_policy" "flink" {
  name = "state"
  role = aws_iam_role.flink.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket", "s3:ListBucketMultipartUploads"]
        Resource = aws_s3_bucket.state.arn
      },
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
        Resource = "${aws_s3_bucket.state.arn}/*"
      },
    ]
  })
}

resource "aws_iam_role" "volumes" {
  name               = "${var.name}-volumes"
  assume_role_policy = local.trust.volumes
}

resource "aws_iam_role_policy_attachment" "volumes" {
  role       = aws_iam_role.volumes.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy"
}
