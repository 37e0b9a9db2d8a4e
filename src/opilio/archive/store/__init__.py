"""Where archived results are kept: folders of a disk and buckets of S3-compatible servers, behind one protocol."""
