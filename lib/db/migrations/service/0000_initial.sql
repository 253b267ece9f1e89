CREATE SCHEMA "service";
--> statement-breakpoint
CREATE TABLE "service"."card_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"xid" text,
	"xmetadata" jsonb,
	"name" text NOT NULL,
	"phone_number" text NOT NULL,
	"identity_type" text NOT NULL,
	"account_type" text NOT NULL,
	"currency" text NOT NULL,
	"limit" numeric(24, 8) NOT NULL,
	"balance" numeric(24, 8) NOT NULL,
	"opening_balance" numeric(24, 8) NOT NULL,
	"dispute_amount" numeric(24, 8) NOT NULL,
	"client_identity_status" text NOT NULL,
	"rejected_reason" text,
	"rejection_additional_info" text,
	"individual" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_accounts_limit" CHECK ("service"."card_accounts"."limit" >= 0),
	CONSTRAINT "card_accounts_dispute_amount" CHECK ("service"."card_accounts"."dispute_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "service"."cards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"card_account_id" uuid NOT NULL,
	"xid" text,
	"xmetadata" jsonb,
	"status" text NOT NULL,
	"locked_before_suspension" boolean DEFAULT false NOT NULL,
	"embossed_name" text NOT NULL,
	"product_id" uuid NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"last4" text NOT NULL,
	"sealed_number" "bytea" NOT NULL,
	"pin_digest" text,
	"replaced_by" uuid,
	"card_limit" numeric(24, 8) NOT NULL,
	"daily_atm_limit" numeric(24, 8) NOT NULL,
	"daily_purchase_limit" numeric(24, 8) NOT NULL,
	"daily_limit" numeric(24, 8) NOT NULL,
	"single_transaction_limit" numeric(24, 8) NOT NULL,
	"card_present_limit" numeric(24, 8) NOT NULL,
	"card_not_present_limit" numeric(24, 8) NOT NULL,
	"mobile" text,
	"card_email" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."products" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"image_url" text NOT NULL,
	"card_type" text NOT NULL,
	"card_image_details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."external_ids" (
	"xid" text PRIMARY KEY NOT NULL,
	"target_type" text NOT NULL,
	"target_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."fees" (
	"id" uuid PRIMARY KEY NOT NULL,
	"card_account_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"amount" numeric(24, 8) NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"intent" text NOT NULL,
	"intent_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."account_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(24, 8) NOT NULL,
	"balance" numeric(24, 8),
	"intent" text NOT NULL,
	"intent_id" uuid NOT NULL,
	"intent_ref_id" uuid NOT NULL,
	"status" text NOT NULL,
	"description" text NOT NULL,
	"account_number" text NOT NULL,
	"account_label" text NOT NULL,
	"from_account_number" text,
	"from_account_label" text,
	"to_account_number" text,
	"to_account_label" text,
	"xid" text,
	"xmetadata" jsonb
);
--> statement-breakpoint
CREATE TABLE "service"."accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"balance" numeric(24, 8) NOT NULL,
	"available" numeric(24, 8) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"xid" text,
	"xmetadata" jsonb,
	"created" timestamp (3) with time zone NOT NULL,
	"updated" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"destination" jsonb NOT NULL,
	"source" jsonb,
	"purpose" text,
	"source_of_funds" text,
	"remarks" text,
	"account_id" uuid NOT NULL,
	"quote_id" uuid,
	"source_currency" text NOT NULL,
	"destination_currency" text NOT NULL,
	"source_amount" numeric(24, 8) NOT NULL,
	"destination_amount" numeric(24, 8) NOT NULL,
	"rate" numeric(30, 16) NOT NULL,
	"status" text NOT NULL,
	"sub_status" text,
	"cancellation_reason" text
);
--> statement-breakpoint
CREATE TABLE "service"."quotes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"method" text NOT NULL,
	"account_id" uuid NOT NULL,
	"source_amount" numeric(24, 8) NOT NULL,
	"source_currency" text NOT NULL,
	"destination_country" text NOT NULL,
	"destination_currency" text NOT NULL,
	"destination_amount" numeric(24, 8) NOT NULL,
	"rate" numeric(30, 16) NOT NULL,
	"destination_contact" jsonb NOT NULL,
	"source" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"payout_id" uuid
);
--> statement-breakpoint
CREATE TABLE "service"."access_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"public_key_pem" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."clock" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"offset_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."content_links" (
	"id" text PRIMARY KEY NOT NULL,
	"card_id" uuid NOT NULL,
	"ip_address" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "service"."due_work" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"payload" jsonb NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "service"."faults" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"remaining" integer NOT NULL,
	"after" boolean NOT NULL,
	"delay_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."idempotency" (
	"access_key" uuid NOT NULL,
	"key" text NOT NULL,
	"path" text NOT NULL,
	"body_sha256" text NOT NULL,
	"status" integer NOT NULL,
	"answer" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_access_key_key_pk" PRIMARY KEY("access_key","key")
);
--> statement-breakpoint
CREATE TABLE "service"."rate_counts" (
	"access_key" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"minute" bigint NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "rate_counts_access_key_endpoint_minute_pk" PRIMARY KEY("access_key","endpoint","minute")
);
--> statement-breakpoint
CREATE TABLE "service"."service_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"value" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."card_account_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"xid" text,
	"xmetadata" jsonb,
	"ref_id" text NOT NULL,
	"card_account_id" uuid NOT NULL,
	"card_id" uuid,
	"card_last4" text,
	"card_embossed_name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"posted_at" timestamp (3) with time zone,
	"intent" text NOT NULL,
	"authorization" jsonb,
	"merchant" jsonb,
	"currency" text NOT NULL,
	"amount" numeric(24, 8) NOT NULL,
	"entry_type" text NOT NULL,
	"description" text NOT NULL,
	"dispute_status" text,
	"gross_amount" numeric(24, 8) NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	CONSTRAINT "card_account_transactions_amount" CHECK ("service"."card_account_transactions"."amount" >= 0),
	CONSTRAINT "card_account_transactions_posted" CHECK (("service"."card_account_transactions"."status" = 'posted') = ("service"."card_account_transactions"."posted_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "service"."events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"event" text NOT NULL,
	"data" jsonb NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "service"."webhook_messages" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"delivered" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service"."webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"status" text NOT NULL,
	"events" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_successful_delivery_time" timestamp (3) with time zone,
	"last_failed_delivery_time" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "service"."cards" ADD CONSTRAINT "cards_card_account_id_card_accounts_id_fk" FOREIGN KEY ("card_account_id") REFERENCES "service"."card_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service"."cards" ADD CONSTRAINT "cards_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "service"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service"."fees" ADD CONSTRAINT "fees_transaction_id_card_account_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "service"."card_account_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service"."account_transactions" ADD CONSTRAINT "account_transactions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "service"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service"."card_account_transactions" ADD CONSTRAINT "card_account_transactions_card_account_id_card_accounts_id_fk" FOREIGN KEY ("card_account_id") REFERENCES "service"."card_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service"."webhook_messages" ADD CONSTRAINT "webhook_messages_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "service"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_accounts_newest" ON "service"."card_accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "card_accounts_xid" ON "service"."card_accounts" USING btree ("xid");--> statement-breakpoint
CREATE INDEX "cards_newest" ON "service"."cards" USING btree ("card_account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "fees_newest" ON "service"."fees" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "fees_of_account" ON "service"."fees" USING btree ("card_account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "account_transactions_newest" ON "service"."account_transactions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "account_transactions_of_account" ON "service"."account_transactions" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_newest" ON "service"."payouts" USING btree ("created","id");--> statement-breakpoint
CREATE INDEX "payouts_of_account" ON "service"."payouts" USING btree ("account_id","created","id");--> statement-breakpoint
CREATE INDEX "due_work_next" ON "service"."due_work" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "due_work_of_subject" ON "service"."due_work" USING btree ("subject","due_at","id");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "service"."idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "card_account_transactions_newest" ON "service"."card_account_transactions" USING btree ("card_account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "card_account_transactions_card" ON "service"."card_account_transactions" USING btree ("card_id","created_at") WHERE card_id is not null;--> statement-breakpoint
CREATE INDEX "events_time" ON "service"."events" USING btree ("time");--> statement-breakpoint
CREATE INDEX "webhook_messages_queue" ON "service"."webhook_messages" USING btree ("webhook_id","delivered","position");