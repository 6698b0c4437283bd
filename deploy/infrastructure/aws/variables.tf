variable "name" {
  description = "Of the cluster, and the beginning of every other name; one account may hold several."
  type        = string
  default     = "millrace"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,29}$", var.name))
    error_message = "name must be 1 to 30 small letters, digits and hyphens and begin with a letter, such as millrace."
  }
}

variable "region" {
  type    = string
  default = "us-east-1"
}

variable "zones" {
  description = "Two: every node is in the first; the second only holds the control plane's other end, which EKS insists on."
  type        = list(string)
  default     = ["us-east-1a", "us-east-1b"]

  validation {
    condition     = length(var.zones) == 2 && var.zones[0] != var.zones[1]
    error_message = "zones must be two different zones, the one of the nodes first, such as [\"us-east-1a\", \"us-east-1b\"]."
  }
}

variable "allow_cidr" {
  description = "From where the cluster's API may be reached."
  type        = list(string)

  validation {
    condition     = length(var.allow_cidr) > 0 && alltrue([for cidr in var.allow_cidr : can(cidrhost(cidr, 0))])
    error_message = "allow_cidr must be one address range or more, such as [\"203.0.113.7/32\"]."
  }

  validation {
    condition     = alltrue([for cidr in var.allow_cidr : !endswith(cidr, "/0")])
    error_message = "allow_cidr may not be everybody (a range that ends in /0); say the addresses that you work from."
  }
}

variable "job_namespaces" {
  description = "Where jobs run that keep their state in the bucket: one namespace for each broker."
  type        = list(string)

  validation {
    condition     = length(var.job_namespaces) > 0
    error_message = "job_namespaces must name one namespace or more, such as [\"millrace-mine\"]."
  }
}

variable "kubernetes_version" {
  description = "Of the control plane, the add-ons and the nodes without disks of their own; all of these are upgraded by it."
  type        = string
  default     = "1.35"
}

variable "nvme_kubernetes_version" {
  description = "Of the nodes with disks of their own, which are empty after it has changed; null: as they were made."
  type        = string
  default     = null
}

variable "groups" {
  description = <<-EOT
    What runs where. The same broker nodes serve all brokers in turn, so that each has the same budget. "nvme" mounts
    the instance's own disks one by one under /mnt/k8s-disks, where the local static provisioner finds them.
  EOT
  type = map(object({
    type  = string
    nodes = number
    taint = optional(bool, true)
    nvme  = optional(bool, false)
  }))
  default = {
    broker = { type = "i7i.8xlarge", nodes = 3, nvme = true }
    flink  = { type = "c5.4xlarge", nodes = 4 }
    load   = { type = "c5.4xlarge", nodes = 4 }
    store  = { type = "r6id.4xlarge", nodes = 3, nvme = true }
    # Operators, controllers, ZooKeeper, JobManagers and monitoring: three nodes for what wants three hosts.
    infra = { type = "m5.2xlarge", nodes = 3, taint = false }
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : group.nodes >= 1 && floor(group.nodes) == group.nodes])
    error_message = "every group has one node or more."
  }

  validation {
    condition     = anytrue([for group in values(var.groups) : !group.taint])
    error_message = "one group must have taint = false: what tolerates no taint, such as CoreDNS, has no node else."
  }
}

variable "broker_nodes" {
  description = "Another number of nodes for the group broker; 6 is the size of the published platform."
  type        = number
  default     = null
}

variable "flink_nodes" {
  description = "Another number of nodes for the group flink, a TaskManager each."
  type        = number
  default     = null
}

variable "load_nodes" {
  description = "Another number of nodes for the group load, a generator each."
  type        = number
  default     = null
}

variable "keep_data" {
  description = "Whether the bucket outlives a destroy while something is in it (the destroy then says that it could not delete it)."
  type        = bool
  default     = true
}

variable "check_quotas" {
  description = "Whether a plan asks the account for its quota of vCPUs and fails when the nodes do not fit."
  type        = bool
  default     = true
}

variable "offline" {
  description = "For a plan without an account."
  type        = bool
  default     = false
}
