DROP INDEX "console"."directory_cards_last4";--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "embossed_name" text GENERATED ALWAYS AS (record ->> 'embossedName') STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "product_name" text GENERATED ALWAYS AS (record -> 'product' ->> 'name') STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "expires_on" integer GENERATED ALWAYS AS ((record ->> 'expiryYear')::integer * 100 + (record ->> 'expiryMonth')::integer) STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "card_limit" numeric(24, 8) GENERATED ALWAYS AS ((record ->> 'cardLimit')::numeric) STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "available_limit" numeric(24, 8) GENERATED ALWAYS AS ((record ->> 'availableLimit')::numeric) STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "issued_at" text GENERATED ALWAYS AS (record ->> 'createdAt') STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(coalesce(record ->> 'embossedName', '') || ' ' || coalesce(last4, '') || ' ' || coalesce(record ->> 'xid', '') || ' ' || id)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "directory_cards_by_issued" ON "console"."directory_cards" USING btree ("environment","issued_at","id");--> statement-breakpoint
CREATE INDEX "directory_cards_by_expires" ON "console"."directory_cards" USING btree ("environment","expires_on","id");--> statement-breakpoint
CREATE INDEX "directory_cards_by_name" ON "console"."directory_cards" USING btree ("environment",lower(embossed_name),"id");--> statement-breakpoint
CREATE INDEX "directory_cards_last4" ON "console"."directory_cards" USING btree ("environment","last4","id");