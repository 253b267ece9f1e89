CREATE TABLE "console"."index_merchants" (
	"environment" text NOT NULL,
	"name" text NOT NULL,
	"terms" "tsvector",
	CONSTRAINT "index_merchants_environment_name_pk" PRIMARY KEY("environment","name")
);
--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "terms" "tsvector";--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "terms" "tsvector";--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ADD COLUMN "terms" "tsvector";--> statement-breakpoint
CREATE INDEX "index_merchants_terms" ON "console"."index_merchants" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "directory_accounts_terms" ON "console"."directory_accounts" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "directory_cards_terms" ON "console"."directory_cards" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "directory_payouts_terms" ON "console"."directory_payouts" USING gin ("terms");