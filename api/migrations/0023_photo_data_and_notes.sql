-- Both are null for rows of the previous release, which ignores them.

alter table documents
  -- SHA-256 of the file as it was received, if camera data was removed from it. `sha256` is that of the stored file.
  add column received_sha256 bytea,
  -- What the veteran wrote about the file.
  add column note text;
