terraform {
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.100"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = {
      # What `destroy` asks for when it says what is still billed.
      "millrace-infrastructure" = var.name
    }
  }

  # For a plan without an account: nothing is asked, nothing can be made.
  skip_credentials_validation = var.offline
  skip_metadata_api_check     = var.offline
  skip_requesting_account_id  = var.offline
}
