-- What people type is brought to Unicode's composed form from now on. What is stored is brought to it too, so
-- that it keeps being found. If several emails have the same composed form, only that of
-- the oldest account is changed, and none if an account has that form already.
update users set email = composed.email
  from (
    select distinct on (normalize(email)) id, normalize(email) as email from users
    where email is not nfc normalized order by normalize(email), created_at) composed
  where users.id = composed.id
    and not exists (select from users other where other.email = composed.email);
update users set first_name = normalize(first_name), last_name = normalize(last_name)
  where first_name is not nfc normalized or last_name is not nfc normalized;
