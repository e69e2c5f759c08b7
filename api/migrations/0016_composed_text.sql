-- What people type is brought to Unicode's composed form from now on. What is stored is brought to it too, so
-- that it keeps being found; an email stays as it is where another account has the composed one.
update users set email = normalize(email)
  where email is not nfc normalized
    and not exists (select from users other where other.email = normalize(users.email));
update users set first_name = normalize(first_name), last_name = normalize(last_name)
  where first_name is not nfc normalized or last_name is not nfc normalized;
