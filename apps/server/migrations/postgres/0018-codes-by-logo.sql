-- no transaction
-- Which codes use a logo, so that one in use is not deleted.
create index concurrently if not exists qr_codes_logo on qr_codes ((style -> 'logo' ->> 'asset_id')) where style ? 'logo';
