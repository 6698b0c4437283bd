# One zone for all nodes: no cross-zone traffic to pay for, and a volume is always where its pod may run.

locals {
  range = "10.90.0.0/16"
}

resource "aws_vpc" "this" {
  cidr_block           = local.range
  enable_dns_hostnames = true
  tags                 = { Name = var.name }
}

resource "aws_subnet" "nodes" {
  vpc_id            = aws_vpc.this.id
  availability_zone = var.zones[0]
  cidr_block        = cidrsubnet(local.range, 3, 0)
  tags              = { Name = "${var.name}-nodes" }
}

resource "aws_subnet" "control_plane" {
  vpc_id            = aws_vpc.this.id
  availability_zone = var.zones[1]
  cidr_block        = cidrsubnet(local.range, 12, 512)
  tags              = { Name = "${var.name}-control-plane" }
}

resource "aws_subnet" "public" {
  vpc_id            = aws_vpc.this.id
  availability_zone = var.zones[0]
  cidr_block        = cidrsubnet(local.range, 12, 1024)
  tags              = { Name = "${var.name}-public" }
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = var.name }
}

resource "aws_eip" "nat" {
  domain = "vpc"
  tags   = { Name = "${var.name}-nat" }
}

# Nodes have no public address; images come through here.
resource "aws_nat_gateway" "this" {
  allocation_id = aws_eip.nat.id
  subnet_id     = aws_subnet.public.id
  tags          = { Name = var.name }
  depends_on    = [aws_internet_gateway.this]
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = "${var.name}-public" }

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.this.id
  }
}

resource "aws_route_table" "nodes" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = "${var.name}-nodes" }

  route {
    cidr_block     = "0.0.0.0/0"
    nat_gateway_id = aws_nat_gateway.this.id
  }
}

resource "aws_route_table_association" "public" {
  subnet_id      = aws_subnet.public.id
  route_table_id = aws_route_table.public.id
}

resource "aws_route_table_association" "nodes" {
  subnet_id      = aws_subnet.nodes.id
  route_table_id = aws_route_table.nodes.id
}

resource "aws_route_table_association" "control_plane" {
  subnet_id      = aws_subnet.control_plane.id
  route_table_id = aws_route_table.nodes.id
}

# Checkpoints go to S3 beside the NAT gateway, which bills each byte.
resource "aws_vpc_endpoint" "s3" {
  vpc_id            = aws_vpc.this.id
  service_name      = "com.amazonaws.${var.region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [aws_route_table.nodes.id]
  tags              = { Name = "${var.name}-s3" }
}
